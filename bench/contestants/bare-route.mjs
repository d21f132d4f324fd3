// A Fastify route that answers a constant: what the HTTP server alone can do with the same requests and replies.
import Fastify from "fastify";
import { serveTasks } from "../serve-tasks.mjs";

const REPLY = {
  status: "SUCCESS",
  code: 0,
  order_id: "01JCQ8B1ZKQ7M4TR2X",
  urid: "0d1a3b52-7f3c-4e9a-9c7e-0f6f2f8f1c55",
  operator_ref: "SIM123456789012",
  amount: "10.00",
  account: "9876543000",
  balance: "9999999989.0000",
  message: "The recharge succeeded.",
};

const app = Fastify({ logger: false });
app.get("/api/corp/v1/recharge", async () => REPLY);
await app.listen({ host: "127.0.0.1", port: 0 });

serveTasks({ port: () => app.server.address().port });
