// `npm run openapi`: writes what is made from the definitions of the APIs. With --check it only compares.
import { readFile, writeFile } from "node:fs/promises";
import { AUTH_ACTIONS } from "../../server/dist/api/auth/auth-actions.js";
import { documentText } from "../../server/dist/api/client/openapi/document.js";
import { describeRoutes } from "../../server/dist/api/client/routes.js";
import * as access from "../../server/dist/api/operator/access.js";
import { operatorDocumentText } from "../../server/dist/api/operator/openapi/document.js";
import { OPERATOR_ACTIONS } from "../../server/dist/api/operator/operator-actions.js";
import * as members from "../../server/dist/api/portal/access.js";
import { PORTAL_ACTIONS } from "../../server/dist/api/portal/portal-actions.js";
import { actionTypes, webRoles } from "./web-types.mjs";

const groupsOf = (module) => Object.fromEntries(Object.entries(module).filter(([, value]) => Array.isArray(value)));
const authPaths = new Set(AUTH_ACTIONS.map(({ path }) => path));
const portalOnly = PORTAL_ACTIONS.filter(({ path }) => !authPaths.has(path));
const written = new Map([
  ["contract/openapi.json", documentText(describeRoutes())],
  ["contract/operator-openapi.json", operatorDocumentText(OPERATOR_ACTIONS)],
  ["web/src/operator-api.ts", actionTypes("the operator API's actions", { OperatorApi: OPERATOR_ACTIONS })],
  ["web/src/portal-api.ts", actionTypes("the portal's and the sign-in actions", { AuthApi: AUTH_ACTIONS, PortalApi: portalOnly })],
  ["web/src/roles.ts", webRoles({ STAFF_ROLES: groupsOf(access), MEMBER_ROLES: groupsOf(members) })],
]);

const stale = [];
for (const [path, text] of written) {
  if ((await readFile(path, "utf8").catch(() => "")) !== text) stale.push(path);
}
if (process.argv.includes("--check")) {
  if (stale.length > 0) {
    console.error(`${stale.join(" and ")} do not match the APIs' definitions. Run: npm run openapi`);
    process.exit(1);
  }
} else {
  for (const path of stale) {
    await writeFile(path, written.get(path));
    console.log(`Wrote ${path}.`);
  }
}
