/** The elements of a list of entity tags, which may be empty (RFC 9110, section 5.6.1); none if the list is invalid. */
export function entityTags(list: string): string[] {
  const element = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;
  const tags: string[] = [];
  while (element.lastIndex < list.length) {
    const match = element.exec(list);
    if (!match) return [];
    if (match[1] !== undefined) tags.push(match[1]);
  }
  return tags;
}
