/** A JSON value as JavaScript, on one line if it is short. */
export function codeLiteral(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (typeof value !== 'object' || value === null || line.length + indent.length <= 80) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((each) => `${inner}${codeLiteral(each, inner)},\n`).join('')}${indent}]`;
  }
  const entries = Object.entries(value).map(([name, each]) => `${inner}${keyOf(name)}: ${codeLiteral(each, inner)},\n`);
  return `{\n${entries.join('')}${indent}}`;
}

function onOneLine(value: unknown): string {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([name, each]) => `${keyOf(name)}: ${onOneLine(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

const keyOf = (name: string) => (/^[a-z_]\w*$/i.test(name) ? name : textOf(name));
const textOf = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
