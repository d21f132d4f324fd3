import { z } from "zod";
import { type Check, fault } from "../check/fault.ts";
import { jsonTemplate, template, text } from "./words.ts";

const headerName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "Is not the name of a header.");
export const headers = z.record(headerName, template).describe("Headers by name.");

/** One parameter for every item of a list, for example the customer's parameters of a bill. */
const eachParameter = z.strictObject({
  each: text.describe("The list or the set of named values, such as details.params."),
  name: template.describe("The parameter's name, for example {item.name}."),
  value: template.describe("The parameter's value, for example {item.value}."),
});
export const parameters = z
  .record(z.string(), z.union([template, eachParameter]))
  .describe("Parameters by name, each escaped for its position.");
export type Parameters = z.infer<typeof parameters>;

/** A piece of a text that is repeated for every item of a list. */
const eachText = z.strictObject({ each: text, item: template, join: z.string().max(10).default("") });
const pieces = z.union([template, z.array(z.union([template, eachText]))]);
export type Pieces = z.infer<typeof pieces>;

export const body = z
  .strictObject({
    json: jsonTemplate.optional().describe("A JSON value. `{x|number}` as a whole string becomes a number."),
    form: parameters.optional().describe("The fields of an HTML form."),
    xml: pieces.optional().describe("XML or SOAP; values are escaped."),
    text: pieces.optional().describe("Any other text; values are inserted unescaped. Needs content_type."),
    content_type: text.optional().describe("The content type, if it is not the usual one."),
  })
  .check(checkBody)
  .meta({ id: "DescriptionBody", description: "Exactly one of json, form, xml and text." });
export type Body = z.infer<typeof body>;

function checkBody(check: Check<{ readonly [kind: string]: unknown }>): void {
  const { value } = check;
  const kinds = ["json", "form", "xml", "text"].filter((kind) => value[kind] !== undefined);
  if (kinds.length !== 1) fault(check, [], "Give exactly one of json, form, xml and text.");
  if (value["text"] !== undefined && value["content_type"] === undefined)
    fault(check, ["content_type"], "A text body must declare its content type.");
}

export const request = z
  .strictObject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional().describe("POST with a body and GET without one by default."),
    url: text.describe("A path below base_url, such as /pay, or a whole address https://…"),
    query: parameters.default({}).describe("Query parameters."),
    headers: headers.default({}),
    body: body.optional(),
    envelope: body
      .optional()
      .describe("Sent instead of the body. A computed value puts the body into it, for example encrypted: {request.body}."),
  })
  .meta({ id: "DescriptionRequest", description: "One HTTP request." });
export type RequestDefinition = z.infer<typeof request>;
