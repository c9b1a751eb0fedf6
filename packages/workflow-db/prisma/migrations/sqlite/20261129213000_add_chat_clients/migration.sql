-- CreateTable
CREATE TABLE "ChatClient" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "redirectAddresses" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "ClientConnection" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "tokenVersion" INTEGER NOT NULL,
    "access" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "redirectAddress" TEXT NOT NULL,
    "codeChallenge" TEXT NOT NULL,
    "codeDigest" TEXT NOT NULL,
    "codeUsedAt" DATETIME,
    "accessDigest" TEXT,
    "accessExpiresAt" DATETIME,
    "refreshDigest" TEXT,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "ClientConnection_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ClientConnection_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "ChatClient" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "chat_client_last_used_at_idx" ON "ChatClient"("lastUsedAt");

-- CreateIndex
CREATE INDEX "client_connection_user_idx" ON "ClientConnection"("userId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "client_connection_client_id_idx" ON "ClientConnection"("clientId");

-- CreateIndex
CREATE INDEX "client_connection_expires_at_idx" ON "ClientConnection"("expiresAt");
