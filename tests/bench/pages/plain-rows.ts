// The least that an app with messages in a database can do: reads the newest ones and draws them without a framework.
import { readNewest } from "./read-newest";

for (const { event } of await readNewest()) {
  const row = document.createElement("article");
  const title = document.createElement("h3");
  title.textContent = event.title ?? "";
  const time = document.createElement("time");
  time.textContent = new Intl.DateTimeFormat(navigator.language, { timeStyle: "short" }).format(event.time * 1_000);
  const text = document.createElement("p");
  text.textContent = event.message ?? "";
  row.append(title, time, text);
  document.body.append(row);
}
