/** What shared code must know about a service. The service's own rules are in its folder in domain/services. */
export type ServiceDefinition = {
  /** Spec, Versioning, rule 5. A service with optional signing needs it only if the account requires it. */
  readonly signing: "optional" | "required";
  /** Whether its orders count towards the account's daily limit. */
  readonly hasDailyLimit: boolean;
  /** Where the codes of its operators, billers or banks come from: our catalogue, or the provider alone. */
  readonly operators: "catalogue" | "provider";
  /** Whether staff can refund the orders of its main operation (spec, Events, status callbacks, rule 3). */
  readonly isRefundable: boolean;
};

const DEFAULTS: ServiceDefinition = {
  signing: "required",
  hasDailyLimit: false,
  operators: "provider",
  isRefundable: false,
};

/** The service whose operators the catalogue lists. An operator of the catalogue names no service, because there is only this one. */
export const CATALOGUE_SERVICE = "recharge";

const OVERRIDES: ReadonlyMap<string, Partial<ServiceDefinition>> = new Map<string, Partial<ServiceDefinition>>([
  [CATALOGUE_SERVICE, { signing: "optional", hasDailyLimit: true, operators: "catalogue" }],
  ["bills", {}],
  ["transfers", { isRefundable: true }],
  ["bus", {}],
  ["aeps", {}],
]);

const DEFINITIONS: ReadonlyMap<string, ServiceDefinition> = new Map(
  [...OVERRIDES].map(([service, differences]) => [service, { ...DEFAULTS, ...differences }]),
);

/** The definition of a service. A service that is not listed has the defaults. */
export function serviceDefinition(service: string): ServiceDefinition {
  return DEFINITIONS.get(service) ?? DEFAULTS;
}

/** The services whose main operation staff can refund. */
export const REFUNDABLE_SERVICES: readonly string[] = [...DEFINITIONS].flatMap(([service, { isRefundable }]) =>
  isRefundable ? service : [],
);

/** Whether a service belongs to the signed services, which share their fields and forms of reply. */
export function isSignedService(service: string): boolean {
  return serviceDefinition(service).signing === "required";
}
