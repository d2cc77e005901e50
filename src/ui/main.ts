import "./styles/tokens.css";
import "./styles/base.css";
import { connect } from "../client";
import { mountApp } from "./mount";
import { words } from "./words";

const target = document.querySelector("#app");
if (!target) throw new Error("index.html has no #app");

try {
  const app = await mountApp(target, await connect());
  await app.updates.start();
} catch (error) {
  // Nothing is mounted yet that could say it.
  if (!target.hasChildNodes()) target.textContent = `${words.errors.noStart} ${String(error)}`;
  throw error;
}
