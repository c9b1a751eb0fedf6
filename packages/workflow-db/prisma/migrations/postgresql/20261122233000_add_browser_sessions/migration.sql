-- CreateTable
CREATE TABLE "BrowserSession" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "tokenVersion" INTEGER NOT NULL,
    "tokenDigest" TEXT NOT NULL,
    "userAgent" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "BrowserSession_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "browser_session_token_digest_key" ON "BrowserSession"("tokenDigest");

-- CreateIndex
CREATE INDEX "browser_session_user_idx" ON "BrowserSession"("userId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "browser_session_expires_at_idx" ON "BrowserSession"("expiresAt");
