import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { Description } from "../definition.ts";
import { placeholdersIn } from "../template/parse.ts";

const SPLITTING = ["before", "after"];

/** A token for a request that is built without a login. It has every mark at which the description takes tokens apart. */
export function standInToken(definition: Description, word = "token"): string {
  const texts: string[] = [];
  collect(definition as JsonValue, texts);
  const filters = texts
    .flatMap((text) => placeholdersIn(text))
    .filter(({ name }) => name === "token")
    .flatMap((placeholder) => placeholder.filters);
  const marks = new Set(filters.filter(({ name }) => SPLITTING.includes(name)).map(({ argument }) => argument));
  return [word, ...[...marks].map((mark) => `${mark}${word}`)].join("");
}

function collect(value: JsonValue, texts: string[]): void {
  if (typeof value === "string" && value.includes("{token")) texts.push(value);
  else if (typeof value === "object" && value !== null) for (const member of Object.values(value)) collect(member as JsonValue, texts);
}
