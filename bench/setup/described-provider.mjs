const NAME = "bench";

/**
 * Lets a service send its recharges to a provider on this machine by a description, as an operator would.
 *
 * @param {{ call: (path: string, body?: object) => Promise<object> }} service @param {number} port
 */
export async function useDescribedProvider({ call }, port) {
  await call("/providers", { definition: description(port), secrets: { token: "bench-token" } });
  await call("/routes", { service: "recharge", operator: "*", provider: NAME });
}

function description(port) {
  const answers = (means) => [{ when: { status: "SUCCESS" }, means }];
  return {
    version: 2,
    name: NAME,
    base_url: `http://127.0.0.1:${port}`,
    plain_http: true,
    secrets: ["token"],
    read: { reference: "reference", provider_ref: "txn_id", operator_ref: "operator_ref" },
    operations: {
      "recharge.pay": {
        request: {
          url: "/recharges",
          method: "POST",
          headers: { authorization: "Bearer {secret.token}" },
          body: { json: { reference: "{reference}", number: "{target}", operator: "{operator}", amount: "{amount}" } },
        },
        outcome: answers("success"),
        status: { request: { url: "/recharges", query: { reference: "{reference}" } }, outcome: answers("success") },
      },
    },
  };
}
