import { parseXml } from "../../../platform/core/xml.ts";
import { boundedMatch } from "../description/read/bounded-match.ts";
import type { ReadDefinition } from "./definition.ts";
import { jsonText, parseAnswer, withoutMark } from "./read-json.ts";
import { xmlText } from "./read-xml.ts";

/** The fields that a description extracts from an answer; null where the answer lacks them. */
export type AnswerFields = {
  readonly status: string | null;
  readonly operatorRef: string | null;
  readonly message: string | null;
  readonly reference: string | null;
  /** The provider's code for a failure. */
  readonly reason: string | null;
};

export type FoundFields = { readonly ok: true; readonly fields: AnswerFields } | { readonly ok: false; readonly why: string };

type Body = { readonly body: Buffer; readonly endMarked: boolean };
type Name = "status" | "operator_ref" | "message" | "reference" | "reason";

export function findFields(read: ReadDefinition, answer: Body): FoundFields {
  switch (read.format) {
    case "json": {
      const value = parseAnswer(answer.body);
      return value === null
        ? unreadable("is not JSON, or has a duplicate key")
        : found((name) => at(read[name], (path) => jsonText(value, path)));
    }
    case "xml": {
      const text = utf8(answer.body);
      const root = text === null ? null : parseXml(text);
      return root === null ? unreadable("is not well-formed XML") : found((name) => at(read[name], (path) => xmlText(root, path)));
    }
    case "text":
      return textFields(read, answer);
  }
}

function textFields(read: Extract<ReadDefinition, { format: "text" }>, answer: Body): FoundFields {
  if (!answer.endMarked && !read.unmarked_end) return unreadable("does not say where it ends, so it may be half of one");
  const text = utf8(answer.body)?.trim();
  if (text === undefined) return unreadable("is not valid UTF-8");
  if (read.pattern !== undefined) {
    const match = boundedMatch(new RegExp(read.pattern, "u"), text);
    if (match === "too long") return unreadable("takes too long to match against the pattern");
    const groups = match?.groups;
    return groups ? found((name) => groups[name] ?? null) : unreadable("does not match the pattern");
  }
  const parts = text.split(read.separator ?? "").map((part) => part.trim());
  if (read.count !== undefined && parts.length !== read.count) return unreadable(`has ${parts.length} parts instead of ${read.count}`);
  return found((name) => at(read.fields?.[name], (place) => parts[place] ?? null));
}

function found(get: (name: Name) => string | null): FoundFields {
  return {
    ok: true,
    fields: {
      status: get("status"),
      operatorRef: get("operator_ref"),
      message: get("message"),
      reference: get("reference"),
      reason: get("reason"),
    },
  };
}

function at<Where>(where: Where | undefined, get: (where: Where) => string | null): string | null {
  return where === undefined ? null : get(where);
}

function unreadable(what: string): FoundFields {
  return { ok: false, why: `the answer ${what}` };
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function utf8(body: Buffer): string | null {
  try {
    return decoder.decode(withoutMark(body));
  } catch {
    return null;
  }
}

/** Whether the description says where this field is. */
export function declares(read: ReadDefinition, name: Name): boolean {
  if (read.format !== "text") return read[name] !== undefined;
  return read.pattern === undefined ? read.fields?.[name] !== undefined : read.pattern.includes(`(?<${name}>`);
}
