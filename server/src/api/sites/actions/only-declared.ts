import type { z } from "zod";
import type { WithCookie } from "./action.ts";
import type { RefusalOf } from "./refusal.ts";

type Keys<Shape> = Shape extends object ? keyof Shape : never;
type Field<Shape, Name> = Shape extends object ? (Name extends keyof Shape ? Shape[Name] : never) : never;
type Item<Shape> = Shape extends readonly (infer One)[] ? One : never;

/** The names of fields, at any depth, that a value has and its shape does not declare. */
type Undeclared<Value, Shape> =
  Value extends RefusalOf<string>
    ? never
    : Value extends WithCookie<infer Body>
      ? Undeclared<Body, Shape>
      : Value extends readonly (infer One)[]
        ? Undeclared<One, Item<Shape>>
        : Value extends object
          ? InObject<Value, Shape>
          : never;

// A shape with an index signature, or without any field such as `object`, takes every field.
type InObject<Value extends object, Shape> =
  string extends Keys<Shape>
    ? never
    : [Keys<Shape>] extends [never]
      ? never
      : Exclude<keyof Value, Keys<Shape>> | { [Name in keyof Value]-?: Undeclared<Value[Name], Field<Shape, Name>> }[keyof Value];

/**
 * Lets the compiler refuse a handler whose reply has a field that its output does not declare. The ordinary check finds only
 * missing and wrong fields, because the reply's type is inferred before it is compared with the output.
 */
export type OnlyDeclared<Result, Output extends z.ZodType> = [Undeclared<Result, z.output<Output>>] extends [never]
  ? unknown
  : { readonly undeclared_field: Undeclared<Result, z.output<Output>> };
