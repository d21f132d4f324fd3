const SHORTEST = 4;
const MOST = 200;

/** Hides a provider's secrets in texts for staff: those that it was given and those that it put into its store. */
export type Mask = {
  readonly hide: (text: string) => string;
  readonly add: (secret: string) => void;
  /** Everything that is hidden. */
  readonly secrets: () => readonly string[];
};

export function createMask(secrets: readonly string[]): Mask {
  // Masking a very short secret would garble ordinary words.
  const hidden = new Set(secrets.filter((secret) => secret.length >= SHORTEST));
  const given = hidden.size;
  return {
    add: (secret) => {
      if (secret.length < SHORTEST || hidden.has(secret)) return;
      hidden.add(secret);
      // Of tokens that were replaced, the oldest are forgotten; the given secrets never.
      const oldest = hidden.size > given + MOST ? [...hidden][given] : undefined;
      if (oldest !== undefined) hidden.delete(oldest);
    },
    secrets: () => [...hidden],
    hide: (text) => [...hidden].reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text),
  };
}
