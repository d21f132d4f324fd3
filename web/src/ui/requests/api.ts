import { uiText } from "../../messages/en/ui.ts";
import { serverText } from "../../messages/server-text.ts";
import { DATA_MODE } from "./data-mode.ts";
import { noteMissingCells } from "./missing-cells.ts";
import { isOutage, noteOutage } from "./outage.ts";

/** An error response of the service, or no response at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly error: string;
  readonly requestId: string | null;
  /** Error messages by form field. */
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
  /** Asks the user to confirm their identity; false when they cancel. */
  readonly stepUp: () => Promise<boolean>;
  /** Called when the session has ended. */
  readonly signedOut: () => void;
};

// BASE_URL is the site's own path, such as /portal/.
const BASE = `${import.meta.env.BASE_URL}api`;
let handlers: Handlers | null = null;
let csrfToken: string | null = null;

export function handleApi(next: Handlers): void {
  handlers = next;
}

/** Sets the CSRF token that every POST request carries. */
export function keepCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** The URL of an API path, for downloads and event streams. */
export function apiUrl(path: string, query: Query = {}): string {
  const present = Object.entries({ ...query, ...(DATA_MODE === "test" ? { mode: "test" } : {}) }).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  const written = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
  return `${BASE}${path}${written === "" ? "" : `?${written}`}`;
}

export async function get<Answer>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Answer> {
  return (await guarded(() => send("GET", apiUrl(path, query), undefined, signal))) as Answer;
}

/** Sends a change as JSON, or a Blob unchanged. Repeats it after a step-up when the service requires one. */
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

/** Sends a change during sign-in. Errors go to the caller and never redirect to the sign-in page. */
export async function postWithoutRedirect<Answer = unknown>(path: string, body: object = {}): Promise<Answer> {
  return (await send("POST", apiUrl(path), body)) as Answer;
}

async function afterStepUp(once: () => Promise<unknown>): Promise<unknown> {
  if (await handlers?.stepUp()) return await once();
  throw new ApiError(403, "step_up_cancelled", uiText.nothingWasChangedBecauseYou);
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
    throw withOutageNoted(method, new ApiError(0, "no_answer", NO_ANSWER[method]));
  });
  const answer: unknown = await reply.json().catch(() => null);
  if (!reply.ok) throw withOutageNoted(method, readError(reply, answer));
  noteOutage(null);
  noteMissingCells(reply.headers.get("corprail-missing-cells"));
  return answer;
}

const NO_ANSWER = {
  GET: uiText.theServiceDoesNotRespond,
  POST: uiText.theServiceDidNotRespond,
} as const;
const UNAVAILABLE = uiText.theServiceIsCurrentlyUnavailable;

// A failed read marks the whole site as unavailable. A failed change is reported only where it was made.
function withOutageNoted(method: "GET" | "POST", error: ApiError): ApiError {
  if (!isOutage(error.status)) noteOutage(null);
  else if (method === "GET") noteOutage(error.message);
  return error;
}

function readError(reply: Response, answer: unknown): ApiError {
  const body = (answer ?? {}) as { error?: string; message?: string; request_id?: string; fields?: Record<string, string> };
  const requestId = body.request_id ?? reply.headers.get("x-request-id");
  return new ApiError(
    reply.status,
    body.error ?? `http_${reply.status}`,
    (body.message === undefined ? undefined : serverText(body.message)) ??
      (isOutage(reply.status) ? UNAVAILABLE : uiText.theServiceRefusedTheRequest),
    requestId,
    body.fields && Object.fromEntries(Object.entries(body.fields).map(([name, text]) => [name, serverText(text)])),
  );
}
