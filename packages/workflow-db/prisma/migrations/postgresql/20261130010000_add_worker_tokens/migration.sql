-- CreateTable
CREATE TABLE "WorkerToken" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "labels" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "WorkerToken_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "worker_token_name_key" ON "WorkerToken"("name");

-- CreateIndex
CREATE UNIQUE INDEX "worker_token_token_hash_key" ON "WorkerToken"("tokenHash");
