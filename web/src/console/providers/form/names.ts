import type { Schema } from "../editor/schema.ts";

/** Why a name cannot be used in a set of named values; null when it can. */
export function nameFault(names: Schema, taken: readonly string[], name: string): string | null {
  if (name === "") return "Enter a name.";
  if (taken.includes(name)) return "This name is in use.";
  if (names.pattern !== undefined && !new RegExp(names.pattern).test(name)) return patternText(names.pattern);
  return null;
}

function patternText(pattern: string): string {
  if (pattern.startsWith("^[a-z][a-z0-9_]")) return "Use small letters, digits and _, a letter first.";
  if (pattern.startsWith("^[A-Za-z0-9_-]")) return "Use letters, digits, - and _.";
  const words = proposedNames({ pattern });
  return words.length === 0 ? `The name must match ${pattern}.` : `Use ${words.join(", ")}, if needed with a point and a word after it.`;
}

/** Names that a pattern begins with, such as what samples can mean. */
export function proposedNames({ pattern = "" }: Schema): readonly string[] {
  return /^\^\(\?:([a-z_|]+)\)/.exec(pattern)?.[1]?.split("|") ?? [];
}
