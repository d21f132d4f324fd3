/** In single quotes, as every POSIX shell reads it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A path or name in a command that a person copies: quoted only where the shell would read it otherwise. */
export function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : quoted(text);
}
