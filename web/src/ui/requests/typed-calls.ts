import { type List, useList } from "../lists/list.ts";
import { get, post, postWithoutRedirect, type Query } from "./api.ts";

type Fields = { readonly [name: string]: unknown };

/** Paths of the actions with this method and a JSON reply. */
type PathOf<Api, Method extends string> = {
  [Key in keyof Api]: Key extends `${Method} ${infer Path}` ? (Api[Key] extends { readonly reply: unknown } ? Path : never) : never;
}[keyof Api];

type InputOf<Api, Key> = Key extends keyof Api ? (Api[Key] extends { readonly input: infer Input extends Fields } ? Input : never) : never;
type QueryOf<Api, Key> = Key extends keyof Api ? (Api[Key] extends { readonly input: infer Input extends Query } ? Input : never) : never;
type ReplyOf<Api, Key> = Key extends keyof Api ? (Api[Key] extends { readonly reply: infer Reply } ? Reply : never) : never;

/** An input without required fields may be left out. */
type Arguments<Input> = Record<string, never> extends Input ? [input?: Input] : [input: Input];
type ArgumentsWithSignal<Input> =
  Record<string, never> extends Input ? [input?: Input, signal?: AbortSignal] : [input: Input, signal?: AbortSignal];

/** Paths of the actions that receive a file. */
type UploadPath<Api> = {
  [Key in keyof Api]: Key extends `POST ${infer Path}` ? (Api[Key] extends { readonly upload: string } ? Path : never) : never;
}[keyof Api];

type PostPath<Api> = Exclude<PathOf<Api, "POST">, UploadPath<Api>> & string;

/** The calls of an API whose types `npm run openapi` writes by method and path: `get("/jobs/:job_id", { job_id })`. */
export function typedCalls<Api>() {
  return {
    get: async <Path extends PathOf<Api, "GET"> & string>(path: Path, ...args: ArgumentsWithSignal<QueryOf<Api, `GET ${Path}`>>) => {
      const [input, signal] = args;
      const { url, rest } = fill<Query[string]>(path, input);
      return await get<ReplyOf<Api, `GET ${Path}`>>(url, rest, signal);
    },
    post: async <Path extends PostPath<Api>>(path: Path, ...args: Arguments<InputOf<Api, `POST ${Path}`>>) => {
      const { url, rest } = fill<unknown>(path, args[0]);
      return await post<ReplyOf<Api, `POST ${Path}`>>(url, rest);
    },
    /** Sends a file as the body, and the input in the path and the query. */
    upload: async <Path extends UploadPath<Api> & string>(path: Path, file: Blob, input: QueryOf<Api, `POST ${Path}`>) => {
      const { url, rest } = fill<Query[string]>(path, input);
      return await post<ReplyOf<Api, `POST ${Path}`>>(url, file, rest);
    },
    /** During sign-in: errors go to the caller and never redirect to the sign-in page. */
    postWithoutRedirect: async <Path extends PostPath<Api>>(path: Path, ...args: Arguments<InputOf<Api, `POST ${Path}`>>) => {
      const { url, rest } = fill<unknown>(path, args[0]);
      return await postWithoutRedirect<ReplyOf<Api, `POST ${Path}`>>(url, rest);
    },
  };
}

/** The rows of an API's lists, by path. */
type Rows<Api> = {
  [Key in keyof Api as Api[Key] extends { readonly reply: { readonly next: string | null } }
    ? Key extends `GET ${infer Path}`
      ? Path
      : never
    : never]: Api[Key] extends { readonly reply: { readonly items: readonly (infer Row)[] } } ? Row : never;
};

type ParameterOf<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type ListArguments<Parameter extends string> = [Parameter] extends [never]
  ? [query?: Query, refetchMilliseconds?: number]
  : [query: Query & Readonly<Record<Parameter, string>>, refetchMilliseconds?: number];

/** The hook that reads a list of an API. The service checks the filters, which come from the page's address. */
export function typedList<Api>() {
  return <Path extends keyof Rows<Api> & string>(path: Path, ...args: ListArguments<ParameterOf<Path>>): List<Rows<Api>[Path]> => {
    const [query, refetchMilliseconds] = args;
    const { url, rest } = fill<Query[string]>(path, query);
    return useList<Rows<Api>[Path]>(url, rest, refetchMilliseconds);
  };
}

/** Puts the path's parameters into the path. The rest is the query or the body. */
function fill<Value>(path: string, input: { readonly [name: string]: Value } | undefined) {
  const rest = new Map(Object.entries(input ?? {}));
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  return { url, rest: Object.fromEntries(rest) };
}
