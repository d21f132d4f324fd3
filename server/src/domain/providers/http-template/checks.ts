// Checks across several fields of a description. Each check reports its faults at the field that must change.

export type Check<Value> = {
  readonly value: Value;
  readonly issues: {
    push: (issue: { code: "custom"; input: unknown; message: string; path: PropertyKey[]; continue: boolean }) => unknown;
  };
};

export function fault<Value>(check: Check<Value>, path: PropertyKey[], message: string): void {
  // `continue` lets the other checks report their faults as well.
  check.issues.push({ code: "custom", input: undefined, message, path, continue: true });
}

type Body = {
  readonly form?: unknown;
  readonly json?: unknown;
  readonly raw?: unknown;
  readonly escape?: unknown;
  readonly content_type?: unknown;
};

export function checkBody(check: Check<Body>): void {
  const { value } = check;
  const kinds = [value.form, value.json, value.raw].filter((kind) => kind !== undefined);
  if (kinds.length !== 1) fault(check, [], "Give exactly one of form, json and raw.");
  if (value.raw === undefined && value.escape !== undefined)
    fault(check, ["escape"], "Only a raw body needs it; form and json are escaped automatically.");
  if (value.raw !== undefined && value.escape === undefined)
    fault(check, ["escape"], "A raw body must say how values are escaped: none, xml, json or url.");
  if (value.raw !== undefined && value.content_type === undefined)
    fault(check, ["content_type"], "A raw body must declare its content type.");
}

type Text = {
  readonly pattern?: string | undefined;
  readonly separator?: string | undefined;
  readonly fields?: unknown;
  readonly count?: unknown;
};

export function checkText(check: Check<Text>): void {
  const { pattern, separator, fields, count } = check.value;
  if ((pattern === undefined) === (separator === undefined)) fault(check, [], "Give either pattern, or separator with fields.");
  else if (separator !== undefined && fields === undefined) fault(check, ["fields"], "Give the position of each field, counted from 0.");
  if (pattern === undefined) return;
  if (fields !== undefined || count !== undefined) fault(check, [], "fields and count belong to separator; a pattern names its groups.");
  const why = patternFault(pattern);
  if (why !== null) fault(check, ["pattern"], why);
}

function patternFault(pattern: string): string | null {
  try {
    new RegExp(pattern, "u");
  } catch {
    return "Is not a valid regular expression.";
  }
  return pattern.includes("(?<status>") ? null : "Must have a group named status: (?<status>…).";
}

type Values = { readonly [kind: string]: readonly string[] | boolean | Readonly<Record<string, string>> };

export function checkValues(check: Check<Values>): void {
  const fold = check.value["fold_case"] === true;
  const meaning = new Map<string, string>();
  for (const [kind, list] of Object.entries(check.value)) {
    if (!isList(list)) continue;
    list.forEach((word, place) => {
      const known = meaning.get(fold ? word.toLowerCase() : word);
      if (known !== undefined && known !== kind) fault(check, [kind, place], `${JSON.stringify(word)} is also listed under ${known}.`);
      meaning.set(fold ? word.toLowerCase() : word, kind);
    });
  }
}

function isList(value: Values[string]): value is readonly string[] {
  return Array.isArray(value);
}

type Callback = { readonly auth: { readonly kind: string }; readonly from: string };

export function checkCallback(check: Check<Callback>): void {
  if (check.value.auth.kind === "hmac_sha256" && check.value.from === "query") {
    fault(check, ["from"], "An HMAC of the body does not authenticate the query. Take the values from the body, or use another auth.");
  }
}

type Urls = { readonly plain_http: boolean; readonly request: Call; readonly status: Call };
type Call = { readonly method: string; readonly url: string; readonly body?: unknown };

const URL_START = /^(https?):\/\/([^/?#{}@\s]+)(?:[/?].*)?$/s;

export function checkUrl(check: Check<Urls>): void {
  for (const name of ["request", "status"] as const) {
    const { url, method, body } = check.value[name];
    const why = urlFault(url, check.value.plain_http);
    if (why !== null) fault(check, [name, "url"], why);
    if (method === "GET" && body !== undefined) fault(check, [name, "body"], "A GET request must have no body.");
  }
}

function urlFault(url: string, plainHttp: boolean): string | null {
  const match = URL_START.exec(url);
  if (!match || !URL.canParse(`${match[1]}://${match[2]}`))
    return "Must be https://host/…, without placeholders, user or password in the host.";
  if (url.includes("#") || /[^\x21-\x7e]/.test(url)) return "Must have no space, no # and only ASCII characters; write others as %XX.";
  return match[1] === "https" || plainHttp
    ? null
    : "Is not https, so secrets would be sent unencrypted. Set plain_http to true to allow it.";
}
