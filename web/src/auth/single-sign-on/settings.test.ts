import { expect, test } from "vitest";
import { inputOf, readRules, valuesOf } from "./settings.ts";

const ROLES = [
  { value: "admin", label: "Admin" },
  { value: "support", label: "Support" },
];

test("rules are read line by line, and a value may contain equals signs", () => {
  expect(readRules("cn=ops,dc=acme = support\n\nadmins=admin", ROLES)).toEqual({
    ok: true,
    rules: [
      { value: "cn=ops,dc=acme", role: "support" },
      { value: "admins", role: "admin" },
    ],
  });
});

test.each(["support", "= admin", "ops = owner", "ops ="])("%j is not a rule", (text) => {
  expect(readRules(text, ROLES).ok).toBe(false);
});

test("a secret that was not typed is not sent, so that the stored one stays", () => {
  const values = valuesOf({ provider: null, domains: ["acme.example", "acme.org"], redirect_uri: "", back_channel_logout_uri: "" });
  const input = inputOf({ ...values, name: " Acme " }, []);
  expect("client_secret" in input).toBe(false);
  expect(input).toMatchObject({ name: "Acme", domains: ["acme.example", "acme.org"], role_claim: null, default_role: null });
  expect(inputOf({ ...values, client_secret: "s" }, []).client_secret).toBe("s");
});
