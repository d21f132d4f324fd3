import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** The directives of a content security policy in addition to those of every page. */
type PagePolicy = Readonly<Record<string, readonly string[]>>;

const YEAR_SECONDS = 31_536_000;

/**
 * Adds the security headers of pages to the routes of this scope. Register the routes in a scope of their own, because
 * replies of the APIs do not carry these headers.
 */
export async function securePages(scope: FastifyInstance, policy: PagePolicy, publicUrl: string | null): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { "default-src": ["'none'"], ...policy, "base-uri": ["'none'"], "frame-ancestors": ["'none'"] },
    },
    xFrameOptions: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    // Without includeSubDomains, because other hosts of the domain may not use https.
    strictTransportSecurity: publicUrl?.startsWith("https:") ? { maxAge: YEAR_SECONDS, includeSubDomains: false } : false,
    // For browsers and plug-ins that no longer exist, or without effect on these pages.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}
