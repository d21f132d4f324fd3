export const RELOADLY = {
  name: "reloadly",
  secrets: { client_id: "rl-client-7141", client_secret: "rl-secret-9925", webhook_secret: "rl-hook-3307" },
};
