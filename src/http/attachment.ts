/**
 * The `Content-Disposition` for a response that clients save as a file (RFC 6266). Slugs of imported events may contain
 * non-ASCII letters, which a header cannot hold unencoded.
 *
 * @param name the file name: letters and digits of any script, and `-_.~`
 */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_');
  const encoded = plain === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`;
  return `attachment; filename="${plain}"${encoded}`;
}
