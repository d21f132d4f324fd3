import { isOutage, noteOutage } from "./outage.ts";

/** A refusal of the service, or no answer at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly error: string;
  readonly requestId: string | null;
  /** What is wrong with which field of the form. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(
    status: number,
    error: string,
    message: string,
    requestId: string | null = null,
    fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.error = error;
    this.requestId = requestId;
    this.fields = fields;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

type Handlers = {
  /** Asks the visitor to prove who they are; false when they would rather not. */
  readonly stepUp: () => Promise<boolean>;
  /** The session is over. */
  readonly signedOut: () => void;
};

// BASE_URL is the site's own path, such as /portal/.
const BASE = `${import.meta.env.BASE_URL}api`;
let handlers: Handlers | null = null;
let csrfToken: string | null = null;

export function handleApi(given: Handlers): void {
  handlers = given;
}

/** Told by whoever reads the session; the token goes with every change. */
export function keepCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** The address of a call, for downloads and event streams. */
export function apiUrl(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const written = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${BASE}${path}${written === "" ? "" : `?${written}`}`;
}

export async function get<Answer>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Answer> {
  return (await guarded(() => send("GET", apiUrl(path, query), undefined, signal))) as Answer;
}

/** A change; a Blob goes as it is. Asks to step up and repeats itself when the service wants that. */
export async function post<Answer = unknown>(path: string, body: object = {}, query: Query = {}): Promise<Answer> {
  const once = () => send("POST", apiUrl(path, query), body);
  return (await guarded(async () => {
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.error === "step_up_required" && handlers !== null) return await afterStepUp(once);
      if (error.error === "forbidden" && (await tokenChanged())) return await once();
      throw error;
    }
  })) as Answer;
}

/** A change made while signing in: a refusal is shown where it was asked for and leads nowhere else. */
export async function postOpen<Answer = unknown>(path: string, body: object = {}): Promise<Answer> {
  return (await send("POST", apiUrl(path), body)) as Answer;
}

async function afterStepUp(once: () => Promise<unknown>): Promise<unknown> {
  if (await handlers?.stepUp()) return await once();
  throw new ApiError(403, "step_up_cancelled", "Nothing was changed: you did not confirm that it is you.");
}

// Another tab may have signed in again since this page was loaded.
async function tokenChanged(): Promise<boolean> {
  const before = csrfToken;
  const session = (await send("GET", apiUrl("/session"))) as { csrf_token?: string };
  keepCsrfToken(session.csrf_token ?? null);
  return csrfToken !== null && csrfToken !== before;
}

async function guarded(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ApiError && error.error === "unauthorized") handlers?.signedOut();
    throw error;
  }
}

async function send(method: "GET" | "POST", url: string, body?: object, signal?: AbortSignal): Promise<unknown> {
  const headers: Record<string, string> = { accept: "application/json" };
  const isFile = body instanceof Blob;
  if (body !== undefined) headers["content-type"] = isFile ? body.type : "application/json";
  if (method === "POST" && csrfToken !== null) headers["x-csrf-token"] = csrfToken;
  const reply = await fetch(url, {
    method,
    headers,
    credentials: "same-origin",
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw noted(method, new ApiError(0, "no_answer", NO_ANSWER[method]));
  });
  const answer: unknown = await reply.json().catch(() => null);
  if (!reply.ok) throw noted(method, readFault(reply, answer));
  noteOutage(null);
  return answer;
}

const NO_ANSWER = {
  GET: "The service does not answer. Check your connection and try again.",
  POST: "The service did not answer. Check whether it was done before you try again.",
} as const;
const UNUSABLE = "The service cannot be used at the moment. Try again shortly.";

// What a change is told is about that change; what is told to whoever only reads holds for the whole site.
function noted(method: "GET" | "POST", error: ApiError): ApiError {
  if (!isOutage(error.status)) noteOutage(null);
  else if (method === "GET") noteOutage(error.message);
  return error;
}

function readFault(reply: Response, answer: unknown): ApiError {
  const said = (answer ?? {}) as { error?: string; message?: string; request_id?: string; fields?: Record<string, string> };
  const requestId = said.request_id ?? reply.headers.get("x-request-id");
  return new ApiError(
    reply.status,
    said.error ?? `http_${reply.status}`,
    said.message ?? (isOutage(reply.status) ? UNUSABLE : "The service refused without saying why."),
    requestId,
    said.fields,
  );
}
