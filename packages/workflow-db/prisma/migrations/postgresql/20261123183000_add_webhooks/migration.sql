-- CreateTable
CREATE TABLE "Webhook" (
    "fileName" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "tokenPrefix" TEXT NOT NULL,
    "tokenDigest" TEXT NOT NULL,
    "isEnabled" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("fileName")
);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_id_key" ON "Webhook"("id");
