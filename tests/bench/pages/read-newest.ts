/** The number of rows on a first screen. */
const COUNT = 20;

/** The fields of a message that are read here. */
export interface NewestRow {
  event: { title?: string; message?: string; time: number };
}

/** Opens the app's database and reads the newest messages, without any of the app's own code. */
export async function readNewest(): Promise<NewestRow[]> {
  const open = indexedDB.open("earshot");
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    open.onsuccess = () => resolve(open.result);
    open.onerror = () => reject(new Error(open.error?.message));
  });
  const rows: NewestRow[] = [];
  const cursor = database.transaction("messages").objectStore("messages").index("order").openCursor(null, "prev");
  return new Promise((resolve, reject) => {
    cursor.onsuccess = () => {
      if (cursor.result) rows.push(cursor.result.value as NewestRow);
      if (cursor.result && rows.length < COUNT) cursor.result.continue();
      else resolve(rows);
    };
    cursor.onerror = () => reject(new Error(cursor.error?.message));
  });
}
