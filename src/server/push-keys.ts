import { createECDH } from "node:crypto";
import webPush from "web-push";

/** The keys by which push services know this server (RFC 8292), as unpadded URL-safe base64. */
export interface PushKeys {
  /** Point on P-256, 65 bytes. */
  publicKey: string;
  /** 32 bytes. */
  privateKey: string;
}

/** Generates keys for a server that has none. */
export function makePushKeys(): PushKeys {
  return webPush.generateVAPIDKeys();
}

/** Whether two keys are a pair. */
export function isKeyPair({ publicKey, privateKey }: PushKeys): boolean {
  const curve = createECDH("prime256v1");
  try {
    curve.setPrivateKey(privateKey, "base64url");
  } catch {
    // Not every number of 32 bytes is a key.
    return false;
  }
  return curve.getPublicKey("base64url") === publicKey;
}
