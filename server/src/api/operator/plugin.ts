import type { FastifyPluginAsync } from "fastify";
import { validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { pathOf } from "../client/gate/request-target.ts";
import { readStrictJson } from "../sites/actions/body-parser.ts";
import { refuseOtherMode } from "./account-mode.ts";
import { type Authenticate, authenticateKey } from "./authenticate.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { errorHandler, noSuchCall, refuseBusy, refuseUnreadable } from "./errors.ts";
import { OPERATOR_ACTIONS } from "./operator-actions.ts";
import { registerActions } from "./register-actions.ts";

/** Fastify options: an id of any length is answered as unknown, not as a framework error. */
export const OPERATOR_SERVER_OPTIONS = { routerOptions: { maxParamLength: 16 * 1024 }, exposeHeadRoutes: false } as const;

/**
 * The operator API (contract, section 8). It is registered twice: under its own prefix for programs with a key, and with
 * session authentication for staff at the console, who can therefore do nothing that a program cannot do.
 */
export function operatorApi(deps: OperatorApiDependencies, authenticate: Authenticate = authenticateKey(deps)): FastifyPluginAsync {
  return async (app) => {
    app.decorateRequest("caller", null);
    app.addHook("onRequest", async (request, reply) => {
      reply.header("x-request-id", request.id).header("cache-control", "no-store");
    });
    app.addHook("onRequest", async (request, reply) => {
      if (deps.databaseHealth?.isAway()) return refuseBusy(request, reply, deps.databaseHealth.trouble(), "not begun");
    });
    app.addHook("onRequest", authenticate);
    const paths = knownPaths();
    app.addHook("onRoute", ({ method, url, config }) => {
      if (!config?.access) throw new Error(`${String(method)} ${url} does not define which staff roles may call it.`);
      paths.add(url, [method].flat());
    });
    // A path such as /callbacks/recover also fits the routes of /callbacks/:callback_id, but it is not an id.
    app.addHook("onRequest", async (request, reply) => {
      const methods = paths.fixed(pathOf(request.url));
      if (methods.length > 0 && !methods.includes(request.method)) return noSuchCall(reply, methods);
    });
    app.addHook("preValidation", async (request, reply) => refuseUnreadable(request, reply));
    app.addHook("preValidation", async (request, reply) => await refuseOtherMode(deps, request, reply));
    app.setErrorHandler(errorHandler(deps));
    app.setNotFoundHandler((request, reply) => noSuchCall(reply, paths.methodsOf(pathOf(request.url))));
    app.setValidatorCompiler(validatorCompiler);
    readStrictJson(app);
    const typed = app.withTypeProvider<ZodTypeProvider>();
    registerActions(typed, deps, OPERATOR_ACTIONS);
  };
}

type KnownPaths = {
  /** `path` in Fastify's format, with `:name` for a parameter. */
  readonly add: (path: string, methods: readonly string[]) => void;
  /** The methods of all routes that match this path; empty if none matches. */
  readonly methodsOf: (path: string) => readonly string[];
  /** The methods of this path without parameters; empty if there is none. */
  readonly fixed: (path: string) => readonly string[];
};

function knownPaths(): KnownPaths {
  const known: { readonly segments: readonly string[]; readonly methods: readonly string[] }[] = [];
  const fixed = new Map<string, readonly string[]>();
  return {
    add: (path, methods) => {
      known.push({ segments: path.split("/"), methods });
      if (!path.includes(":")) fixed.set(path, [...(fixed.get(path) ?? []), ...methods].toSorted());
    },
    fixed: (path) => fixed.get(path) ?? [],
    methodsOf: (path) => {
      const asked = path.split("/");
      const fitting = known.filter(({ segments }) => fits(segments, asked));
      return [...new Set(fitting.flatMap(({ methods }) => methods))].toSorted();
    },
  };
}

function fits(segments: readonly string[], asked: readonly string[]): boolean {
  if (segments.length !== asked.length) return false;
  return segments.every((segment, at) => (segment.startsWith(":") ? asked[at] !== "" : segment === asked[at]));
}
