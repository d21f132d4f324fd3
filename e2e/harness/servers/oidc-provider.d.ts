// The package has no types of its own. Only what the harness uses is declared.
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly callback: () => RequestListener;
  }
}
