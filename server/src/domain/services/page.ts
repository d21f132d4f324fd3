import { z } from "zod";
import { invalidFields, type Refusal } from "../shared/refusals.ts";

const LIMIT = /^(?:[1-9][0-9]?|1[0-9][0-9]|200)$/;

/** Contract, section 1: the common input of all lists. */
export const pageInput = {
  limit: z
    .string()
    .regex(LIMIT, "must be a whole number from 1 to 200")
    .optional()
    .transform((text) => (text === undefined ? 50 : Number(text))),
  after: z.string().max(200, "is not a cursor of this list").optional(),
};

export type PageInput = { readonly limit: number; readonly after?: string | undefined };
export type Page<Item> = { readonly kind: "page"; readonly items: readonly Item[]; readonly next: string | null };

/** A page of a list in memory; the cursor is the last item's name. */
export function pageOf<Item>(all: readonly Item[], input: PageInput, nameOf: (item: Item) => string): Page<Item> | Refusal {
  const last = input.after === undefined ? null : Buffer.from(input.after, "base64url").toString();
  const from = last === null ? 0 : all.findIndex((item) => nameOf(item) === last) + 1;
  if (last !== null && from === 0) return invalidFields({ after: "is not a cursor of this list" });
  const items = all.slice(from, from + input.limit);
  const final = items.at(-1);
  const more = final !== undefined && from + items.length < all.length;
  return { kind: "page", items, next: more ? Buffer.from(nameOf(final)).toString("base64url") : null };
}

/** Encodes a cursor of several words; each list defines their meaning. */
export function writeCursor(...words: readonly string[]): string {
  return Buffer.from(words.join(" ")).toString("base64url");
}

export function readCursor(text: string): readonly string[] {
  return Buffer.from(text, "base64url").toString().split(" ");
}
