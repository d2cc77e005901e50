import { describe, expect, it } from "vitest";
import { isImage, kindOf, attachmentText, kindText } from "../../src/ui/message/attachment/attachment-kind";

const url = "https://example.com/file/abc";

describe("isImage", () => {
  it("uses the type if there is one", () => {
    expect(isImage({ name: "a.txt", url, type: "image/jpeg" })).toBe(true);
    expect(isImage({ name: "a.png", url, type: "text/plain; charset=utf-8" })).toBe(false);
    expect(isImage({ name: "a.svg", url, type: "image/svg+xml" })).toBe(false);
  });

  it("uses the ending of the name or address if there is no type", () => {
    expect(isImage({ name: "a.JPG", url })).toBe(true);
    expect(isImage({ name: "a", url: "https://example.com/b.webp?x=1" })).toBe(true);
    expect(isImage({ name: "a", url: "https://example.com/b?x=.png" })).toBe(false);
    expect(isImage({ name: "a", url: "nonsense.png" })).toBe(false);
  });
});

describe("kindOf", () => {
  const kind = (name: string, type?: string) => kindOf({ name, url, ...(type !== undefined && { type }) });

  it("recognizes by the type what can be shown in place", () => {
    expect(kind("x", "audio/mpeg")).toBe("audio");
    expect(kind("x", "application/ogg")).toBe("audio");
    expect(kind("x", "Video/MP4")).toBe("video");
    expect(kind("x.png", "text/html; charset=utf-8")).toBe("text");
    expect(kind("x", "application/problem+json")).toBe("text");
    expect(kind("x.txt", "application/pdf")).toBe("file");
    expect(kind("x.txt", "image/svg+xml")).toBe("file");
  });

  it("uses the ending if the type is missing or too general", () => {
    expect(kind("door.MP3")).toBe("audio");
    expect(kind("door.webm", "application/octet-stream")).toBe("video");
    expect(kind("disk.log")).toBe("text");
    expect(kind("compose.yaml")).toBe("text");
    expect(kind("paper.pdf")).toBe("file");
    expect(kind("txt")).toBe("file");
  });
});

describe("attachmentText", () => {
  const nowMs = 1_000_000_000;
  const expires = nowMs / 1000 + 4800;

  it("say the kind, the size, and when the file will be gone", () => {
    expect(attachmentText({ name: "front.jpg", url, type: "image/jpeg", size: 284_000, expires }, nowMs)).toBe(
      "JPEG · 284 kB · on the server for another 1 h",
    );
    expect(attachmentText({ name: "front.jpg", url, expires: nowMs / 1000 - 1 }, nowMs)).toBe(
      "JPG · no longer on the server",
    );
    expect(attachmentText({ name: "front", url }, nowMs)).toBe("File");
  });

  it("say a type in a word that people know, else the ending of the name", () => {
    expect(kindText({ name: "a", url, type: `application/vnd.${"x".repeat(100)}+json` })).toBe("File");
    const type = "application/vnd.microsoft.portable-executable";
    expect(kindText({ name: "setup.exe", url, type })).toBe("EXE");
    expect(kindText({ name: "plan", url, type: "image/svg+xml" })).toBe("SVG");
    expect(kindText({ name: "a.bin", url, type: "application/octet-stream" })).toBe("BIN");
    expect(kindText({ name: "disk.log", url, type: "text/plain; charset=utf-8" })).toBe("LOG");
  });
});
