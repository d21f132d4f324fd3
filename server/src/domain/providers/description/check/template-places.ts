import type { Body, Parameters, Pieces, RequestDefinition } from "../language/request.ts";
import type { JsonTemplate } from "../language/words.ts";

/** The part of a request that a template is in. Later parts may use what the earlier ones have become. */
export type Position = "url" | "body" | "envelope" | "header";

/** A template and where it is. */
export type TemplatePlace = {
  readonly path: string;
  readonly text: string;
  readonly position: Position;
  readonly inJson: boolean;
  /** The list whose item it is written for. */
  readonly each?: string;
};
/** A use of a list, or a name that must contain no placeholder. */
export type OtherPlace = { readonly path: string; readonly each: string } | { readonly path: string; readonly name: string };
export type Places = { readonly templates: readonly TemplatePlace[]; readonly others: readonly OtherPlace[] };

const none: Places = { templates: [], others: [] };

function join(...all: readonly Places[]): Places {
  return { templates: all.flatMap((one) => one.templates), others: all.flatMap((one) => one.others) };
}

/** All templates of a request. */
export function requestPlaces(request: RequestDefinition, path: string): Places {
  return join(
    one(`${path}.url`, request.url, "url"),
    parameterPlaces(request.query, `${path}.query`, "url"),
    headerPlaces(request.headers, `${path}.headers`),
    request.body === undefined ? none : bodyPlaces(request.body, `${path}.body`, "body"),
    request.envelope === undefined ? none : bodyPlaces(request.envelope, `${path}.envelope`, "envelope"),
  );
}

export function headerPlaces(headers: Readonly<Record<string, string>>, path: string): Places {
  return join(...Object.entries(headers).map(([name, text]) => one(`${path}.${name}`, text, "header")));
}

export function parameterPlaces(parameters: Parameters, path: string, position: Position): Places {
  return join(
    ...Object.entries(parameters).map(([name, value]): Places => {
      const here = `${path}.${name}`;
      if (typeof value === "string") return { ...one(here, value, position), others: [{ path: here, name }] };
      const { each } = value;
      const templates = [
        { path: `${here}.name`, text: value.name, position, inJson: false, each },
        { path: `${here}.value`, text: value.value, position, inJson: false, each },
      ];
      return { templates, others: [{ path: `${here}.each`, each }] };
    }),
  );
}

function one(path: string, text: string, position: Position): Places {
  return { templates: [{ path, text, position, inJson: false }], others: [] };
}

function bodyPlaces(body: Body, path: string, position: Position): Places {
  return join(
    body.form === undefined ? none : parameterPlaces(body.form, `${path}.form`, position),
    body.json === undefined ? none : jsonPlaces(body.json, `${path}.json`, position),
    body.xml === undefined ? none : piecePlaces(body.xml, `${path}.xml`, position),
    body.text === undefined ? none : piecePlaces(body.text, `${path}.text`, position),
    body.content_type === undefined ? none : { templates: [], others: [{ path: `${path}.content_type`, name: body.content_type }] },
  );
}

function piecePlaces(pieces: Pieces, path: string, position: Position): Places {
  if (typeof pieces === "string") return one(path, pieces, position);
  return join(
    ...pieces.map((piece, index): Places => {
      const here = `${path}[${index}]`;
      if (typeof piece === "string") return one(here, piece, position);
      const { each, item } = piece;
      return { templates: [{ path: `${here}.item`, text: item, position, inJson: false, each }], others: [{ path: `${here}.each`, each }] };
    }),
  );
}

/** Templates of a JSON value. `$each` repeats `$item`, or the member `$name` with `$value`. */
export function jsonPlaces(template: JsonTemplate, path: string, position: Position, each?: string): Places {
  if (typeof template === "string") {
    return { templates: [{ path, text: template, position, inJson: true, ...(each === undefined ? {} : { each }) }], others: [] };
  }
  if (Array.isArray(template))
    return join(...template.map((item: JsonTemplate, index) => jsonPlaces(item, `${path}[${index}]`, position, each)));
  if (typeof template !== "object" || template === null) return none;
  const own = (template as { readonly [name: string]: JsonTemplate })["$each"];
  const repeated = typeof own === "string" ? own : each;
  return join(
    ...Object.entries(template).map(([name, value]): Places => {
      const here = `${path}.${name}`;
      if (name === "$each") return typeof value === "string" ? { templates: [], others: [{ path: here, each: value }] } : none;
      const isRepeated = name === "$item" || name === "$name" || name === "$value";
      const inner = jsonPlaces(value, here, position, isRepeated ? repeated : each);
      return { ...inner, others: [...inner.others, { path: here, name }] };
    }),
  );
}
