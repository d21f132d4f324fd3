import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

type Key = {
  readonly kid: string;
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  readonly publicJwk: object;
};

/** An identity provider that a test controls, over a real socket. It can also send invalid tokens. */
export type TestIssuer = {
  readonly issuer: string;
  readonly clientId: string;
  /** The claims of the next ID token, merged over valid ones. */
  claims: JWTPayload;
  /** Makes the ID token in another way. */
  makeToken: ((claims: JWTPayload) => Promise<string>) | null;
  /** What the userinfo endpoint answers; without it the provider has none. */
  userInfo: object | null;
  /** Changes the discovery document. */
  metadata: Readonly<Record<string, unknown>>;
  /** What the token endpoint received last. */
  readonly received: () => URLSearchParams;
  readonly requests: (path: string) => number;
  readonly sign: (claims: JWTPayload, header?: { alg?: string; kid?: string; typ?: string }) => Promise<string>;
  readonly publicJwk: () => object;
  readonly rotate: () => Promise<void>;
  readonly close: () => Promise<void>;
};

async function newKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } };
}

export async function startTestIssuer(clientId = "corprail"): Promise<TestIssuer> {
  let key = await newKey("k1");
  let received = new URLSearchParams();
  const counts = new Map<string, number>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const sign: TestIssuer["sign"] = async (claims, header = {}) =>
    await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: key.kid, ...header }).sign(key.privateKey);
  const issuer: TestIssuer = {
    issuer: origin,
    clientId,
    claims: {},
    makeToken: null,
    userInfo: null,
    metadata: {},
    received: () => received,
    requests: (path) => counts.get(path) ?? 0,
    sign,
    publicJwk: () => key.publicJwk,
    rotate: async () => {
      key = await newKey(`k${Math.random()}`);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", origin);
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    const send = (body: object) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (pathname === "/.well-known/openid-configuration") {
      const more = issuer.userInfo === null ? {} : { userinfo_endpoint: `${origin}/userinfo` };
      return void send({ ...document(origin), ...more, ...issuer.metadata });
    }
    if (pathname === "/userinfo" && issuer.userInfo !== null) return void send(issuer.userInfo);
    if (pathname === "/jwks") return void send({ keys: [key.publicJwk] });
    if (pathname !== "/token") return void response.writeHead(404).end();
    received = new URLSearchParams(await readBody(request));
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: origin, aud: clientId, iat: now, exp: now + 300, ...issuer.claims };
    const idToken = await (issuer.makeToken ?? sign)(claims);
    send({ access_token: "access", token_type: "Bearer", expires_in: 300, id_token: idToken });
  }
  return issuer;
}

function document(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256", "HS256", "none"],
    authorization_response_iss_parameter_supported: true,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
