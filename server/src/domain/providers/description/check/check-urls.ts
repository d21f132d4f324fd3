import type { Fault } from "../../settings/faults.ts";
import type { Description } from "../definition.ts";
import type { RequestDefinition } from "../language/request.ts";
import type { PlannedOperation } from "../run/plan.ts";

const URL_START = /^(https?):\/\/([^/?#{}@\s]+)(?:[/?].*)?$/s;

/** Every request goes to a host that is written out, encrypted unless the description allows otherwise. */
export function urlFaults(definition: Description, plans: readonly PlannedOperation[]): readonly Fault[] {
  const base = definition.base_url;
  const requests = [
    ...plans.flatMap(({ plan }) => plan.steps.map((step) => [`${step.place}.request`, step.request] as const)),
    ...(definition.login === undefined ? [] : [["login.request", definition.login.request] as const]),
  ];
  return [
    ...(base === undefined ? [] : addressFaults("base_url", base, definition.plain_http)),
    ...(base?.includes("?") ? [{ path: "base_url", message: "Must have no query." }] : []),
    ...requests.flatMap(([path, request]) => requestFaults(path, request, definition)),
  ];
}

function requestFaults(path: string, request: RequestDefinition, { base_url: base, plain_http: plainHttp }: Description): readonly Fault[] {
  const isBelow = request.url.startsWith("/");
  const address = isBelow ? characterFaults(`${path}.url`, request.url) : addressFaults(`${path}.url`, request.url, plainHttp);
  return [
    ...(isBelow && base === undefined ? [{ path: `${path}.url`, message: "Begins with /, but there is no base_url." }] : address),
    ...(request.method === "GET" && request.body !== undefined
      ? [{ path: `${path}.body`, message: "A GET request must have no body." }]
      : []),
    ...(request.envelope !== undefined && request.body === undefined
      ? [{ path: `${path}.envelope`, message: "There is no body to put into it." }]
      : []),
  ];
}

function addressFaults(path: string, url: string, plainHttp: boolean): readonly Fault[] {
  const match = URL_START.exec(url);
  if (!match || !URL.canParse(`${match[1]}://${match[2]}`))
    return [{ path, message: "Must be https://host/…, without placeholders, user or password in the host, or a path that begins with /." }];
  if (match[1] !== "https" && !plainHttp)
    return [{ path, message: "Is not https, so secrets would be sent unencrypted. Set plain_http to true to allow it." }];
  return characterFaults(path, url);
}

function characterFaults(path: string, url: string): readonly Fault[] {
  // Filters may contain spaces, so what is inside placeholders does not count.
  const bare = url.replace(/\{[^{}]*\}/g, "");
  if (!bare.includes("#") && !/[^\x21-\x7e]/.test(bare)) return [];
  return [{ path, message: "Must have no space, no # and only ASCII characters; write others as %XX." }];
}
