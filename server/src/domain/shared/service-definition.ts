/** What shared code must know about a service. The service's own rules are in its folder in domain/services. */
export type ServiceDefinition = {
  /** Spec, Versioning, rule 5. A service with optional signing needs it only if the account requires it. */
  readonly signing: "optional" | "required";
  /** Whether its orders count towards the account's daily limit. */
  readonly hasDailyLimit: boolean;
};

const USUAL: ServiceDefinition = { signing: "required", hasDailyLimit: false };

const PARTICULAR: ReadonlyMap<string, ServiceDefinition> = new Map([["recharge", { signing: "optional", hasDailyLimit: true }]]);

/** The definition of a service. A service that is not listed is signed and has no daily limit. */
export function serviceDefinition(service: string): ServiceDefinition {
  return PARTICULAR.get(service) ?? USUAL;
}

/** Whether a service belongs to the signed services, which share their fields and forms of reply. */
export function isSignedService(service: string): boolean {
  return serviceDefinition(service).signing === "required";
}
