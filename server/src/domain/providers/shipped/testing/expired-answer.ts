import type { Description } from "../../description/definition.ts";
import type { Words } from "../../testing/unruly-server.ts";

/** An answer that the description declares as a refused token. */
export function expiredAnswer({ login }: Description): ReturnType<Words> {
  const alternatives = login?.unauthorized ?? [];
  const conditions = Object.entries(alternatives[0] ?? {});
  const wanted = conditions.map(([path, condition]) => {
    const value = Array.isArray(condition) ? condition[0] : condition;
    if (typeof value === "object" || value === undefined) throw new Error(`login.unauthorized: give ${path} a value first.`);
    return [path, value] as const;
  });
  const status = wanted.find(([path]) => path === "$http")?.[1] ?? 200;
  const body = wanted.filter(([path]) => path !== "$http").reduce((whole, [path, value]) => withValue(whole, path.split("."), value), {});
  return { status: Number(status), body: Object.keys(body).length === 0 ? "" : JSON.stringify(body) };
}

function withValue(whole: object, [name = "", ...rest]: readonly string[], value: unknown): object {
  const inner = (whole as Readonly<Record<string, object>>)[name] ?? {};
  return { ...whole, [name]: rest.length === 0 ? value : withValue(inner, rest, value) };
}
