import type { ReadDefinition } from "../language/read.ts";
import type { CallbackSample, Sample } from "../language/samples.ts";
import { ESCAPES, type Escape } from "../template/escape.ts";
import { render, renderJson, type Scope } from "../template/render.ts";

export type RenderedSample = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

type Format = NonNullable<ReadDefinition["format"]>;
const BODY_ESCAPES: Readonly<Record<Format, Escape>> = {
  json: ESCAPES.none,
  xml: ESCAPES.xml,
  form: ESCAPES.form,
  pairs: ESCAPES.none,
  text: ESCAPES.none,
};
const TYPES: Readonly<Record<Format, string>> = {
  json: "application/json",
  xml: "text/xml",
  form: "application/x-www-form-urlencoded",
  pairs: "text/plain",
  text: "text/plain",
};

/** An answer with its values filled in, as the provider would send it. */
export function renderSample(sample: Sample, read: ReadDefinition, scope: Scope): RenderedSample {
  const format = read.format ?? "json";
  const charset = read.encoding ?? "utf-8";
  const headers = renderHeaders(sample.headers, scope);
  const text = renderBody(sample.body, format, scope);
  return {
    status: sample.http,
    headers: { "content-type": `${TYPES[format]}; charset=${charset}`, ...headers },
    // Every letter that windows-1252 has beyond latin 1 is rare enough for a sample.
    body: Buffer.from(text, charset === "utf-8" ? "utf8" : "latin1"),
  };
}

/** A body with its values filled in, escaped for its format. */
export function renderBody(body: Sample["body"] | CallbackSample["body"], format: Format, scope: Scope): string {
  return typeof body === "string" ? render(body, scope, BODY_ESCAPES[format]) : renderJson(body, scope);
}

export function renderHeaders(headers: Readonly<Record<string, string>>, scope: Scope): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), render(text, scope)]));
}
