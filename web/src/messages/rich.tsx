import { Fragment, type ReactNode } from "react";
import type { Placeholder } from "./fill.ts";

/** The names of the tags in a message: "link" for "See <link>the guide</link>." */
type Tag<Text extends string> = Text extends `${string}<${infer Name}>${infer Rest}`
  ? (Name extends `/${string}` ? never : Name) | Tag<Rest>
  : never;

type Parts<Text extends string> = Readonly<Record<Placeholder<Text>, ReactNode>> &
  Readonly<Record<Tag<Text>, (text: ReactNode) => ReactNode>>;

const PART = /<(\w+)>(.*?)<\/\1>|\{(\w+)\}/gs;

/** A message whose placeholders are filled with elements and whose tags are drawn by functions. */
export function rich<Text extends string>(message: Text, parts: Parts<Text>): ReactNode {
  return draw(message, parts as Readonly<Record<string, ReactNode | ((text: ReactNode) => ReactNode)>>);
}

function draw(message: string, parts: Readonly<Record<string, ReactNode | ((text: ReactNode) => ReactNode)>>): ReactNode {
  const drawn: ReactNode[] = [];
  let end = 0;
  for (const match of message.matchAll(PART)) {
    const [whole, tag, inner, name] = match;
    drawn.push(message.slice(end, match.index));
    const part = parts[tag ?? name ?? ""];
    drawn.push(<Fragment key={match.index}>{typeof part === "function" ? part(draw(inner ?? "", parts)) : part}</Fragment>);
    end = match.index + whole.length;
  }
  drawn.push(message.slice(end));
  return drawn;
}
