import type { Description } from "../definition.ts";
import type { ComputedDefinition } from "../language/computed.ts";
import { oauth1Text } from "../request/oauth1.ts";
import type { CallScope, Random } from "../request/scope.ts";
import { render, renderJson } from "../template/render.ts";

/** A signature, token or ciphertext of a call, with what it was made of. */
export type ShownComputed = {
  readonly name: string;
  /** Such as `hmac sha256`. */
  readonly kind: string;
  /** What was signed or encrypted, secrets masked; null where there is no text. */
  readonly text: string | null;
  readonly value: string;
};

/** The computed values that a request contains. `mask` hides secrets in them. */
export function shownComputed(
  { computed }: Description,
  scope: CallScope,
  random: Random,
  mask: (text: string) => string,
): readonly ShownComputed[] {
  return [...scope.computed].flatMap(([name, value]) => {
    const made = computed[name];
    if (made === undefined) return [];
    const text = textOf(made, scope, random);
    return [{ name, kind: kindOf(made), text: text === null ? null : mask(text), value: mask(value) }];
  });
}

function kindOf(made: ComputedDefinition): string {
  const detail = "digest" in made ? made.digest : "algorithm" in made ? made.algorithm : "cipher" in made ? made.cipher : "";
  return detail === "" ? made.kind : `${made.kind} ${detail}`;
}

function textOf(made: ComputedDefinition, scope: CallScope, random: Random): string | null {
  switch (made.kind) {
    case "jwt":
      return renderJson(made.claims, scope);
    case "oauth1":
      return oauth1Text(made, scope, random);
    case "basic":
    case "random":
      return null;
    default:
      return render(made.text, scope);
  }
}
