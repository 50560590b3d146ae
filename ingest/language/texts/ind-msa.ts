/** What newspapers, encyclopaedias and people on the web say, in our own words: the same in Indonesian and Malay, sentence by sentence. */
export const ind = `
Presiden mengatakan kemarin bahwa undang-undang baru tentang perlindungan lingkungan akan berlaku mulai awal tahun depan.
Pemerintah kota telah menyetujui anggaran tahun depan sebesar dua miliar rupiah.
Tiga orang terluka dalam kecelakaan lalu lintas di jalan raya tadi malam, kata polisi.
Tim nasional sepak bola akan bertanding melawan Jepang pada akhir Maret.
Kota ini terletak di tepi sungai dan memiliki penduduk lebih dari sepuluh ribu jiwa.
Ia lahir di Bandung pada tahun 1945, lalu kuliah di Fakultas Hukum Universitas Indonesia.
Universitas ini didirikan pada pertengahan abad ke-20 dan sekarang memiliki dua belas fakultas.
Para peneliti menemukan spesies tanaman baru yang hanya tumbuh di gunung ini.
Dua pria ditangkap karena diduga membunuh seorang karyawan toko.
Harga minyak dan gas naik lima persen pada pekan lalu di pasar Eropa.
Film tersebut memenangkan penghargaan pada festival yang digelar setiap bulan Agustus.
Tidak ada yang tahu apa yang terjadi malam itu di rumah tua di ujung desa.
Dia tidak mau berkomentar soal itu, tetapi berjanji akan bicara dengan wartawan nanti.
Menteri Keuangan menegaskan bahwa pendapatan negara pada enam bulan pertama lebih tinggi dibandingkan tahun lalu.
Para buruh pabrik menuntut kenaikan gaji dan mengancam akan melakukan unjuk rasa.
Grup musik ini merilis album ketiga dan mengadakan tur di beberapa kota besar.
Anak-anak belajar lagu baru di sekolah dan menggambar bunga.
Untuk membuat masakan ini, Anda membutuhkan setengah kilogram daging, dua sendok minyak, garam, dan merica.
Menurutnya, situasi saat ini sulit, tapi dia berharap masalah itu bisa selesai minggu ini.
Ribuan orang tewas dalam perang dan banyak yang harus meninggalkan rumah mereka.
Kereta api di jalur ini sudah tiga tahun tidak beroperasi karena kekurangan uang.
Dokter menyarankan agar warga minum air yang cukup dan tidak keluar rumah pada siang hari.
Atlet itu meraih juara kedua dalam kejuaraan di Italia.
Kerja sama antara kedua negara di bidang kebudayaan dan pendidikan sangat baik.
Perusahaan itu merekrut lima puluh karyawan baru pada bulan Januari.
Silakan mendaftar sebelum tanggal lima belas Oktober jika Anda ingin ikut lomba ini.
Gue nggak tahu kenapa dia marah banget sama gue, padahal gue cuma bilang begitu aja.
Aku udah lama banget pengen ke sana, tapi belum ada waktu sama uangnya juga.
Pengadilan memutuskan bahwa terdakwa tetap ditahan selama satu bulan.
Ayahnya seorang pengacara dan ibunya guru musik di sekolah menengah.
Pulau ini luasnya dua puluh kilometer persegi dan tidak berpenghuni.
Kualitas hidup warga meningkat sejak jembatan baru itu dibangun.
Aplikasi ini dapat diunduh secara gratis dan bisa dipakai di ponsel maupun komputer.
Pengguna bisa mengubah kata sandi lewat menu pengaturan di situs resmi kami.
Pada musim lalu dia mencetak dua puluh gol untuk klub asal Inggris tersebut.
Partai itu mengusung calon gubernur yang didukung oleh beberapa tokoh masyarakat.
Menurut saya, hal ini sangat penting karena berkaitan dengan kesehatan anak.
Diposting oleh admin pada hari Senin pukul sepuluh pagi.
Banyak wisatawan asing datang ke pantai ini untuk berlibur dan menikmati pemandangan.
Desa ini merupakan salah satu desa di kecamatan tersebut, Provinsi Jawa Tengah, Indonesia.
Amerika Serikat dan Rusia sepakat mengadakan pertemuan di Jenewa untuk membahas senjata nuklir.
Seorang ibu rumah tangga melaporkan suaminya ke polisi karena sering dipukul.
Cara membuatnya gampang: campurkan semua bahan, aduk rata, lalu kukus selama setengah jam.
Mobil itu berhenti tepat di depan kantor, lalu beberapa orang keluar dan berlari.
Ya Tuhan, berikanlah kami kekuatan untuk menghadapi cobaan hidup ini.
`;

export const msa = `
Perdana Menteri berkata semalam bahawa undang-undang baharu tentang perlindungan alam sekitar akan berkuat kuasa mulai awal tahun depan.
Majlis bandaraya telah meluluskan belanjawan tahun depan berjumlah dua bilion ringgit.
Tiga orang cedera dalam kemalangan jalan raya di lebuh raya malam tadi, kata polis.
Pasukan bola sepak kebangsaan akan menentang Jepun pada akhir Mac.
Bandar ini terletak di tebing sungai dan mempunyai penduduk lebih daripada sepuluh ribu orang.
Beliau dilahirkan di Ipoh pada tahun 1945 dan mendapat pendidikan di Fakulti Undang-undang Universiti Malaya.
Universiti ini ditubuhkan pada pertengahan abad ke-20 dan kini mempunyai dua belas fakulti.
Para penyelidik menemui spesies tumbuhan baharu yang hanya tumbuh di gunung ini.
Dua lelaki ditahan kerana disyaki membunuh seorang pekerja kedai.
Harga minyak dan gas naik lima peratus pada minggu lalu di pasaran Eropah.
Filem tersebut memenangi anugerah pada festival yang diadakan setiap bulan Ogos.
Tiada siapa yang tahu apa yang berlaku malam itu di rumah lama di hujung kampung.
Beliau enggan mengulas perkara itu, tetapi berjanji akan bercakap dengan wartawan kemudian.
Menteri Kewangan menegaskan bahawa hasil negara pada enam bulan pertama lebih tinggi berbanding tahun lalu.
Pekerja kilang menuntut kenaikan gaji dan mengugut untuk mengadakan tunjuk perasaan.
Kumpulan muzik ini menerbitkan album ketiga dan mengadakan jelajah di beberapa bandar besar.
Kanak-kanak belajar lagu baharu di sekolah dan melukis bunga.
Untuk membuat masakan ini, anda memerlukan setengah kilogram daging, dua sudu minyak, garam dan lada.
Menurut beliau, keadaan sekarang sukar, tetapi beliau berharap masalah itu boleh selesai minggu ini.
Beribu-ribu orang terkorban dalam peperangan dan ramai yang terpaksa meninggalkan rumah mereka.
Kereta api di laluan ini sudah tiga tahun tidak beroperasi kerana kekurangan wang.
Doktor menasihatkan orang ramai supaya minum air yang cukup dan tidak keluar rumah pada waktu tengah hari.
Atlet itu meraih tempat kedua dalam kejohanan di Itali.
Kerjasama antara kedua-dua negara dalam bidang kebudayaan dan pendidikan amat baik.
Syarikat itu mengambil lima puluh kakitangan baharu pada bulan Januari.
Sila mendaftar sebelum lima belas Oktober jika anda ingin menyertai pertandingan ini.
Aku tak tahu kenapa dia marah sangat dengan aku, padahal aku cakap macam tu saja.
Saya dah lama sangat nak pergi ke sana, tapi belum ada masa dan duit pun tak cukup.
Mahkamah memutuskan bahawa tertuduh terus ditahan selama sebulan.
Bapanya seorang peguam dan ibunya guru muzik di sekolah menengah.
Pulau ini berkeluasan dua puluh kilometer persegi dan tidak berpenghuni.
Kualiti hidup penduduk meningkat sejak jambatan baharu itu dibina.
Aplikasi ini boleh dimuat turun secara percuma dan boleh digunakan di telefon mahupun komputer.
Pengguna boleh menukar kata laluan melalui menu tetapan di laman web rasmi kami.
Pada musim lalu beliau menjaringkan dua puluh gol untuk kelab dari England tersebut.
Parti itu mencalonkan calon menteri besar yang disokong oleh beberapa tokoh masyarakat.
Pada pendapat saya, perkara ini amat penting kerana berkaitan dengan kesihatan kanak-kanak.
Disiarkan oleh pentadbir pada hari Isnin jam sepuluh pagi.
Ramai pelancong asing datang ke pantai ini untuk bercuti dan menikmati pemandangan.
Kampung ini merupakan salah sebuah kampung di mukim tersebut di daerah Kuala Kangsar, Perak, Malaysia.
Amerika Syarikat dan Rusia bersetuju mengadakan mesyuarat di Geneva untuk membincangkan senjata nuklear.
Seorang suri rumah melaporkan suaminya kepada polis kerana sering dipukul.
Cara membuatnya senang: campurkan semua bahan, kacau rata, kemudian kukus selama setengah jam.
Kereta itu berhenti betul-betul di hadapan pejabat, kemudian beberapa orang keluar dan berlari.
Ya Tuhan, berikanlah kami kekuatan untuk menghadapi ujian hidup ini.
`;
