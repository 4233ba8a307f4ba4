/** A path of the service as clients see it: below that of the public URL, which a proxy strips. */
export function pathBelow(publicUrl: string, path = ''): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '') + path;
}
