/** A curl command for a first recharge; the client only has to insert the token. */
export function firstCallCode(token = "YOUR_API_TOKEN", account = "9876543210"): string {
  return [
    `curl -X POST ${location.origin}/api/corp/v1/recharge \\`,
    `  -H "X-Api-Token: ${token}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"account":"${account}","operator":"AT","amount":"10","urid":"first-1"}'`,
  ].join("\n");
}
