/** The tag of an image; "latest" where neither a tag nor a digest is given, "" where the name can't be read. */
export function imageTag(image: string): string {
  const [name = '', digest] = image.split('@', 2);
  const tag = /:([^/:]+)$/.exec(name)?.[1];
  if (tag !== undefined) return tag;
  if (digest !== undefined) return '';
  return /^[a-z0-9][a-z0-9._/:-]*$/.test(name) || /^[A-Za-z0-9.-]+(:\d+)?\/[a-z0-9]/.test(name) ? 'latest' : '';
}
