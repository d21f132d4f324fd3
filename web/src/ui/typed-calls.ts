import { get, post, postWithoutRedirect, type Query } from "./api.ts";

/** Paths of the actions with this method and a JSON reply. */
type PathOf<Api, Method extends string> = {
  [Key in keyof Api]: Key extends `${Method} ${infer Path}` ? (Api[Key] extends { readonly reply: unknown } ? Path : never) : never;
}[keyof Api];

type InputOf<Api, Key> = Key extends keyof Api ? (Api[Key] extends { readonly input: infer Input extends object } ? Input : never) : never;
type ReplyOf<Api, Key> = Key extends keyof Api ? (Api[Key] extends { readonly reply: infer Reply } ? Reply : never) : never;

/** An input without required fields may be left out. */
type Given<Input> = Record<string, never> extends Input ? [input?: Input] : [input: Input];
type GivenWithSignal<Input> =
  Record<string, never> extends Input ? [input?: Input, signal?: AbortSignal] : [input: Input, signal?: AbortSignal];

/** The calls of an API whose types `npm run openapi` writes by method and path: `get("/jobs/:job_id", { job_id })`. */
export function typedCalls<Api>() {
  return {
    get: async <Path extends PathOf<Api, "GET"> & string>(path: Path, ...given: GivenWithSignal<InputOf<Api, `GET ${Path}`>>) => {
      const [input, signal] = given;
      const { url, rest } = fill(path, input);
      return await get<ReplyOf<Api, `GET ${Path}`>>(url, rest as Query, signal);
    },
    post: async <Path extends PathOf<Api, "POST"> & string>(path: Path, ...given: Given<InputOf<Api, `POST ${Path}`>>) => {
      const { url, rest } = fill(path, given[0]);
      return await post<ReplyOf<Api, `POST ${Path}`>>(url, rest);
    },
    /** During sign-in: errors go to the caller and never redirect to the sign-in page. */
    postWithoutRedirect: async <Path extends PathOf<Api, "POST"> & string>(path: Path, ...given: Given<InputOf<Api, `POST ${Path}`>>) => {
      const { url, rest } = fill(path, given[0]);
      return await postWithoutRedirect<ReplyOf<Api, `POST ${Path}`>>(url, rest);
    },
  };
}

/** Puts the path's parameters into the path. The rest is the query or the body. */
function fill(path: string, input: object | undefined): { readonly url: string; readonly rest: object } {
  const rest = new Map<string, unknown>(Object.entries(input ?? {}));
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  return { url, rest: Object.fromEntries(rest) };
}
