/** A path of REST, or a query of GraphQL. */
export type Question = { path: string } | { query: string; variables?: object };

/** Asks either face; needs no test around it. */
export async function sendQuestion(url: string, headers: Record<string, string>, question: Question) {
  if ('path' in question) return await fetch(url + question.path, { headers });
  return await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
}
