// An API that sends messages. It knows nothing of Semel and guards against nothing: each POST sends.
//
//   PORT=9000 node server.mjs
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";

// Leads of the CRM by id. Two of them share a phone.
const leads = new Map([
  ["ada", { phone: "+15550100", email: "ada@example.com" }],
  ["bob", { phone: "+15550101", email: "bob@example.com" }],
  ["bobs-work", { phone: "+15550101", email: "bob@example.com" }],
]);
const sent = []; // what the carrier has got
const carrierDelayMs = Number(process.env.CARRIER_DELAY_MS ?? 50);

class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

async function readJson(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    throw new Refused(400, "the body is not JSON");
  }
}

function check(asked) {
  if (typeof asked?.message !== "string" || asked.message === "") throw new Refused(400, "there is no message");
  if (asked.leadId !== undefined && !leads.has(asked.leadId)) throw new Refused(404, "no such lead");
  if (asked.attachments !== undefined && !Array.isArray(asked.attachments)) {
    throw new Refused(400, "attachments must be a list");
  }
}

// The carrier takes its time, and refuses numbers that end in 0000.
async function carry(message) {
  await new Promise((done) => setTimeout(done, carrierDelayMs));
  sent.push(message);
  return message.recipientPhone?.endsWith("0000") ? "failed" : "sent";
}

async function send(request) {
  const asked = await readJson(request);
  check(asked);
  const { workspaceId, recipientPhone, recipientEmail, message: text, leadId = null } = asked;
  const message = { _id: randomUUID(), workspaceId, recipientPhone, recipientEmail, text };
  const status = await carry(message);
  return [201, { success: status === "sent", status, message, leadId, hsContactId: null }];
}

async function answer(request) {
  if (request.url !== "/api/messages") throw new Refused(404, "no such page");
  if (request.method === "GET") return [200, sent];
  if (request.method === "POST") return send(request);
  throw new Refused(405, "use GET or POST");
}

const server = createServer(async (request, response) => {
  let status, body;
  try {
    [status, body] = await answer(request);
  } catch (error) {
    [status, body] = [error.status ?? 500, { success: false, error: error.message }];
  }
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
});

server.listen(Number(process.env.PORT ?? 9000), "127.0.0.1", () => {
  console.log(`messages on http://127.0.0.1:${server.address().port}`);
});
