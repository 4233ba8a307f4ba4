/** The `Content-Disposition` of a download (RFC 6266). @param name letters and digits of any script, and `-_.~` */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_');
  const encoded = plain === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`;
  return `attachment; filename="${plain}"${encoded}`;
}
