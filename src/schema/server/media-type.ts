/** The media types of a GraphQL response (GraphQL over HTTP, media types). */
export type ResponseType = 'application/graphql-response+json' | 'application/json';

/**
 * The media type of a response. A client that accepts neither gets `application/json`: an unreadable error helps nobody.
 */
export function responseType(accept: string | undefined): ResponseType {
  const ranges = (accept ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => {
      const [type = '', ...parameters] = each.split(';').map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith('q='));
      return { type, weight: weight ? Number(weight.slice(2)) : 1 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { type } of ranges) {
    const answer = answers.get(type);
    if (answer) return answer;
  }
  return 'application/json';
}

const answers = new Map<string, ResponseType>([
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
]);
