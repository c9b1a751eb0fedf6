-- CreateTable
CREATE TABLE "Webhook" (
    "fileName" TEXT NOT NULL PRIMARY KEY,
    "id" TEXT NOT NULL,
    "tokenPrefix" TEXT NOT NULL,
    "tokenDigest" TEXT NOT NULL,
    "isEnabled" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "createdBy" TEXT NOT NULL,
    "lastUsedAt" DATETIME
);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_id_key" ON "Webhook"("id");
