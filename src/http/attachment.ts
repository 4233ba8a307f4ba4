/**
 * The `Content-Disposition` under which clients save a response (RFC 6266). Slugs of imported events may have letters that
 * are not ASCII, which no header can hold as they are.
 *
 * @param name of the file: letters and digits of any script, and `-_.~`
 */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_');
  const encoded = plain === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`;
  return `attachment; filename="${plain}"${encoded}`;
}
