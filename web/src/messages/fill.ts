import type { PluralMessage } from "./catalogue.ts";
import { LANGUAGE } from "./languages.ts";

/** The names of the placeholders in a message: "count" for "{count} calls". */
export type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;

type Values<Text extends string> = Readonly<Record<Placeholder<Text>, string | number>>;

const RULES = new Intl.PluralRules(LANGUAGE);

/** Puts values into the placeholders of a message. */
export function fill<Text extends string>(message: Text, values: Values<Text>): string {
  return message.replaceAll(/\{(\w+)\}/g, (_, name: keyof Values<Text>) => String(values[name]));
}

/** The form of a message for a count. */
export function pluralForm<Message extends PluralMessage>(message: Message, count: number): Message["other"] {
  return message[RULES.select(count)] ?? message.other;
}

/** The form of a message for a count, with its placeholders filled. */
export function plural<Message extends PluralMessage>(message: Message, count: number, values: Values<Message["other"]>): string {
  return fill<Message["other"]>(pluralForm(message, count), values);
}

/** Names in a sentence: "a, b and c". */
export function listText(names: readonly string[]): string {
  return new Intl.ListFormat(LANGUAGE, { type: "conjunction" }).format(names);
}
