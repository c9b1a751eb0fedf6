-- CreateTable
CREATE TABLE "BrowserSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "tokenVersion" INTEGER NOT NULL,
    "tokenDigest" TEXT NOT NULL,
    "userAgent" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "browser_session_token_digest_key" ON "BrowserSession"("tokenDigest");

-- CreateIndex
CREATE INDEX "browser_session_user_idx" ON "BrowserSession"("userId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "browser_session_expires_at_idx" ON "BrowserSession"("expiresAt");
